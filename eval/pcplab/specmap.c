// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libcyaml forgets lines once a document is loaded; libyaml's marks keep them for the checks that
 * come later.
 */
#include <string.h>
#include <yaml.h>
#include "spec.h"
#include "specmap.h"

struct walk {
	const char *path;
	yaml_document_t doc;
	GHashTable *lines;
};

static bool walk_node(struct walk *w, yaml_node_t *node, const cyaml_schema_value_t *schema,
		      const char *where);

static bool unknown_key(struct walk *w, yaml_node_t *key, const char *name,
			const cyaml_schema_field_t *fields)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	g_autofree char *all = NULL;
	const char *near;

	for (; fields->key; fields++)
		g_ptr_array_add(names, (char *)fields->key);
	g_ptr_array_add(names, NULL);
	all = g_strjoinv(", ", (char **)names->pdata);
	near = names_nearest((char **)names->pdata, name);
	pl_error("%s:%zu: unknown key '%s'%s%s%s; allowed here: %s", w->path,
		 key->start_mark.line + 1, name, near ? "; did you mean '" : "", near ? near : "",
		 near ? "'?" : "", all);
	return false;
}

static const cyaml_schema_field_t *field_of(const cyaml_schema_value_t *schema, const char *name)
{
	for (const cyaml_schema_field_t *f = schema->mapping.fields; f->key; f++)
		if (!strcmp(f->key, name))
			return f;
	return NULL;
}

static bool walk_mapping(struct walk *w, yaml_node_t *node, const cyaml_schema_value_t *schema,
			 const char *where)
{
	for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
	     p++) {
		yaml_node_t *key = yaml_document_get_node(&w->doc, p->key);
		const char *name = key->type == YAML_SCALAR_NODE ? (char *)key->data.scalar.value :
								   "(not a word)";
		g_autofree char *below = g_strdup_printf("%s%s%s", where, *where ? "." : "", name);
		const cyaml_schema_field_t *f = field_of(schema, name);

		if (!f)
			return unknown_key(w, key, name, schema->mapping.fields);
		if (g_hash_table_contains(w->lines, below)) {
			pl_error("%s:%zu: key '%s' given twice; keep one", w->path,
				 key->start_mark.line + 1, name);
			return false;
		}
		g_hash_table_insert(w->lines, g_strdup(below),
				    GSIZE_TO_POINTER(key->start_mark.line + 1));
		if (!walk_node(w, yaml_document_get_node(&w->doc, p->value), &f->value, below))
			return false;
	}
	return true;
}

static bool walk_sequence(struct walk *w, yaml_node_t *node, const cyaml_schema_value_t *schema,
			  const char *where)
{
	size_t i = 0;

	for (yaml_node_item_t *p = node->data.sequence.items.start;
	     p < node->data.sequence.items.top; p++, i++) {
		yaml_node_t *item = yaml_document_get_node(&w->doc, *p);
		g_autofree char *below = g_strdup_printf("%s[%zu]", where, i);

		g_hash_table_insert(w->lines, g_strdup(below),
				    GSIZE_TO_POINTER(item->start_mark.line + 1));
		if (!walk_node(w, item, schema->sequence.entry, below))
			return false;
	}
	return true;
}

/* The kinds of node that a schema's value may be, as the user would call them. */
static bool wrong_kind(struct walk *w, yaml_node_t *node, const char *where, const char *wanted)
{
	static const char *const got[] = { "nothing", "a single value", "a list", "a mapping" };

	pl_error("%s:%zu: '%s' must be %s, but is %s", w->path, node->start_mark.line + 1,
		 *where ? where : "the file", wanted, got[node->type]);
	return false;
}

static bool check_enum(struct walk *w, yaml_node_t *node, const cyaml_schema_value_t *schema,
		       const char *where)
{
	const char *value = (char *)node->data.scalar.value;
	g_autoptr(GString) all = g_string_new(NULL);

	for (uint32_t i = 0; i < schema->enumeration.count; i++) {
		if (!strcmp(schema->enumeration.strings[i].str, value))
			return true;
		g_string_append_printf(all, "%s%s", i ? ", " : "",
				       schema->enumeration.strings[i].str);
	}
	pl_error("%s:%zu: '%s' cannot be '%s'; allowed are: %s", w->path, node->start_mark.line + 1,
		 where, value, all->str);
	return false;
}

static bool walk_node(struct walk *w, yaml_node_t *node, const cyaml_schema_value_t *schema,
		      const char *where)
{
	bool number = schema->type == CYAML_INT || schema->type == CYAML_UINT;

	switch (schema->type) {
	case CYAML_MAPPING:
		if (node->type != YAML_MAPPING_NODE)
			return wrong_kind(w, node, where, "a mapping (key: value)");
		return walk_mapping(w, node, schema, where);
	case CYAML_SEQUENCE:
		if (node->type != YAML_SEQUENCE_NODE)
			return wrong_kind(w, node, where, "a list");
		return walk_sequence(w, node, schema, where);
	default:
		if (node->type != YAML_SCALAR_NODE)
			return wrong_kind(w, node, where,
					  number ? "a whole number" : "a single value");
	}
	if (number &&
	    !g_regex_match_simple("^-?[0-9]{1,18}$", (char *)node->data.scalar.value, 0, 0)) {
		pl_error("%s:%zu: '%s' must be a whole number, but is '%s'", w->path,
			 node->start_mark.line + 1, where, (char *)node->data.scalar.value);
		return false;
	}
	return schema->type != CYAML_ENUM || check_enum(w, node, schema, where);
}

GHashTable *specmap_new(const char *path, const char *text, const cyaml_schema_value_t *schema)
{
	struct walk w = { .path = path };
	yaml_parser_t parser;
	yaml_node_t *top;
	bool ok = false;

	yaml_parser_initialize(&parser);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
	if (!yaml_parser_load(&parser, &w.doc)) {
		pl_error("%s:%zu: not YAML: %s", path, parser.problem_mark.line + 1,
			 parser.problem ? parser.problem : "cannot be read");
		yaml_parser_delete(&parser);
		return NULL;
	}
	w.lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	top = yaml_document_get_root_node(&w.doc);
	if (!top)
		pl_error("%s:1: the spec is empty; see eval/specs/quick.yaml for one", path);
	else
		ok = walk_node(&w, top, schema, "");
	yaml_document_delete(&w.doc);
	yaml_parser_delete(&parser);
	if (ok)
		return w.lines;
	g_hash_table_destroy(w.lines);
	return NULL;
}

int specmap_line(GHashTable *map, const char *fmt, ...)
{
	g_autofree char *where = NULL;
	va_list ap;

	va_start(ap, fmt);
	where = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	for (size_t n = strlen(where); n > 0; n--) {
		size_t line;

		where[n] = '\0';
		line = GPOINTER_TO_SIZE(g_hash_table_lookup(map, where));
		if (line)
			return line;
	}
	return 1;
}
