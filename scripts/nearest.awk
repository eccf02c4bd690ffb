# awk -f scripts/nearest.awk NAME CANDIDATE...: prints the candidate that is most like the name, if one is like it.
# Letters of either case are alike; what is measured is the longest sequence of letters that both have in this order.

function alike(a, b,    i, j, common) {
    for (i = 1; i <= length(a); i++)
        for (j = 1; j <= length(b); j++)
            if (substr(a, i, 1) == substr(b, j, 1))
                common[i, j] = common[i - 1, j - 1] + 1
            else
                common[i, j] = common[i - 1, j] > common[i, j - 1] ? common[i - 1, j] : common[i, j - 1]
    return 2 * common[length(a), length(b)] / (length(a) + length(b))
}

BEGIN {
    best = 0.6
    for (n = 2; n < ARGC; n++) {
        share = alike(toupper(ARGV[1]), toupper(ARGV[n]))
        if (share >= best) {
            best = share + 0.0001
            nearest = ARGV[n]
        }
    }
    print nearest
}
