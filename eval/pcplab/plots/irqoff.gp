# SPDX-License-Identifier: GPL-2.0-or-later
# Tails of interrupts-off sections. Given: data (file), n (number of variants).
load style
set logscale xy
set format x "10^{%L}"
set format y "10^{%L}"
set xlabel "at least so many instructions with interrupts off"
set ylabel "sections, all runs"
set yrange [0.7:*]
plot for [i=0:n-1] data index i using 1:2 with fsteps ls (i%8)+1 title columnheader(1)
