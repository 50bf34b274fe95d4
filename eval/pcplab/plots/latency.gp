# SPDX-License-Identifier: GPL-2.0-or-later
# Wake-up latencies as histograms; the maximum stands in each title. Given: data (file), n (number of variants).
load style
set logscale y
set format y "10^{%L}"
set xlabel "wake-up latency, microseconds"
set ylabel "wake-ups, all runs"
set xrange [0:*]
set yrange [0.7:*]
plot for [i=0:n-1] data index i using 1:2 with histeps ls (i%8)+1 title columnheader(1)
