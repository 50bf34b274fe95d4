# SPDX-License-Identifier: GPL-2.0-or-later
# Means with their intervals, a group of bars a workload. Given: data (file), n (variants), groups (workloads).
load style
set ylabel "instructions per operation"
set yrange [0:*]
set xrange [-0.6:groups-0.4]
set style fill solid 0.85 border rgb "#000000"
set xtics rotate by -25 scale 0
set boxwidth 0.8/n
plot for [i=0:n-1] data index i using ($1+(i-(n-1)/2.0)*0.8/n):3:(0.8/n):xtic(2) with boxes ls (i%8)+1 fs pattern i title columnheader(1), \
     for [i=0:n-1] data index i using ($1+(i-(n-1)/2.0)*0.8/n):3:4:5 with yerrorbars lc rgb "#000000" pt -1 notitle
