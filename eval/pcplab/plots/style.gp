# SPDX-License-Identifier: GPL-2.0-or-later
# Shared looks: told apart by dash and grey as well as by colour.
# The key has a line for each of n variants; the picture below it keeps its size.
set terminal svg size 640,314+22*n dynamic font "sans-serif,14" linewidth 1
set encoding utf8
set border 3 lc rgb "#444444"
set tics nomirror out
set grid ytics lc rgb "#dddddd" lt 1 lw 0.5
set key above left Left reverse noenhanced
set style line 1 lc rgb "#000000" dt 1 lw 2
set style line 2 lc rgb "#0060a8" dt 2 lw 2
set style line 3 lc rgb "#c04a00" dt 3 lw 2.5
set style line 4 lc rgb "#4b7f3a" dt 4 lw 2
set style line 5 lc rgb "#7a3b93" dt 5 lw 2
set style line 6 lc rgb "#777777" dt "._" lw 2
set style line 7 lc rgb "#a08000" dt "-.." lw 2
set style line 8 lc rgb "#009090" dt "--.." lw 2
