/* Plain table over subsets (Held and Karp): the number of Hamiltonian cycles or paths of a digraph, as the yardstick for
 * `hamcnf count --method subsets`. One 64-bit number for each set and last vertex; numbers wrap around modulo 2^64.
 *
 *   cc -O2 -o subsets benches/subsets.c
 *   hamcnf graph gnp:20,0.9:1 --to dimacs | ./subsets        cycles, each once for both directions
 *   hamcnf graph dgnp:20,0.9:1 --to dimacs | ./subsets -d    cycles of a digraph
 *   hamcnf graph dgnp:20,0.9:1 --to dimacs | ./subsets -p    paths of a digraph from any vertex to any other
 *
 * Input: the lines "e U V" or "a U V" of DIMACS, with vertices from 1. Other lines are left out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    int paths = argc > 1 && !strcmp(argv[1], "-p"), directed = paths || (argc > 1 && !strcmp(argv[1], "-d"));
    static int pairs[4096][2];
    int m = 0, least = 1, most = 0;
    char line[256];
    while (fgets(line, sizeof line, stdin))
        if (m < 4096 && sscanf(line, "%*[ae] %d %d", &pairs[m][0], &pairs[m][1]) == 2) {
            for (int k = 0; k < 2; k++) {
                if (pairs[m][k] < least) least = pairs[m][k];
                if (pairs[m][k] > most) most = pairs[m][k];
            }
            m++;
        }
    int n = most - least + 1;
    if (n < 3 || n > 30) return fprintf(stderr, "%d vertices\n", n), 1;
    uint32_t before[32] = {0}, after_last = 0; /* Masks of predecessors; the last vertex is the start. */
    for (int k = 0; k < m; k++) {
        int u = pairs[k][0] - least, v = pairs[k][1] - least;
        before[v] |= 1u << u;
        if (!directed) before[u] |= 1u << v;
    }
    int w = paths ? n : n - 1; /* Number of vertices in the sets: for paths, the start is one more vertex. */
    for (int v = 0; v < w; v++) after_last |= paths ? 1u << v : (before[v] >> w & 1) << v;
    uint64_t *table = calloc((size_t)w << w, sizeof *table);
    if (!table) return fprintf(stderr, "out of memory\n"), 1;
    for (uint32_t set = 1; set < 1u << w; set++)
        for (uint32_t left = set; left; left &= left - 1) {
            int v = __builtin_ctz(left);
            uint32_t rest = set ^ 1u << v;
            uint64_t sum = 0;
            if (!rest)
                sum = after_last >> v & 1;
            else
                for (uint32_t ends = rest & before[v]; ends; ends &= ends - 1)
                    sum += table[(size_t)rest * w + __builtin_ctz(ends)];
            table[(size_t)set * w + v] = sum;
        }
    uint64_t total = 0;
    for (int v = 0; v < w; v++)
        if (paths || before[w] >> v & 1) total += table[(size_t)((1u << w) - 1) * w + v];
    printf("%llu\n", (unsigned long long)(directed ? total : total / 2));
    free(table);
    return 0;
}
