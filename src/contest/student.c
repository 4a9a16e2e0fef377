#include "contest/student.h"

#include <math.h>

enum { MANY = 200 }; // from here on the series is long and an expansion exact to six digits

// The chance of a value between -t and t: Abramowitz and Stegun, 26.7.3 and 26.7.4.
static double between(double t, int freedom) {
    double angle = atan(t / sqrt(freedom)), c = cos(angle), s = sin(angle);
    int odd = freedom % 2;
    double term = odd ? c : 1, sum = freedom == 1 ? 0 : term;
    for (int i = odd ? 3 : 2; i < freedom; i += 2) {
        term *= c * c * (i - 1) / i;
        sum += term;
    }
    return odd ? 2 / M_PI * (angle + s * sum) : s * sum;
}

double student_below(double t, double freedom) {
    if (freedom >= MANY) { // the normal distribution, at a value drawn in a little
        double z = t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom));
        return 0.5 * erfc(-z * M_SQRT1_2);
    }
    double inside = between(fabs(t), (int)freedom);
    return t < 0 ? (1 - inside) / 2 : (1 + inside) / 2;
}

double student_95(double freedom) {
    const double z = 1.959963984540054;
    if (freedom >= MANY)
        return z + (z * z * z + z) / (4 * freedom);
    double low = z, high = 13; // 12.71 with one degree
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(student_below(middle, freedom) < 0.975 ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
