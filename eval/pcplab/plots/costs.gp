# SPDX-License-Identifier: GPL-2.0-or-later
# Means with their intervals, a group of bars a workload, filled from light to dark.
# Given: data (file), n (variants), groups (workloads), floor (is its block behind the variants'?).
load style
place(group, i) = group+(i-(n-1)/2.0)*0.8/n
set ylabel "instructions per operation"
set yrange [0:*]
set xrange [-0.6:groups-0.4]
set xtics rotate by -25 scale 0 noenhanced
unset label
plot for [i=0:n-1] data index i using (place($1,i)):3:4:5:(0.7/n) with boxerrorbars lc rgb "#000000" lw 0.7 \
	fs solid 0.08+0.72*i/(n>1?n-1:1) border lc rgb "#000000" title columnheader(1), \
     data index 0 using 1:(0):xtic(2) with points pt -1 notitle, \
     for [i=1:floor] data index n using ($1-0.45):3:(0.9):(0) with vectors nohead lc rgb "#c04a00" lw 2 dt 2 \
	title columnheader(1)
