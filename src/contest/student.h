// Student's t distribution: how far an estimate strays whose spread was judged by few games.
// Pure arithmetic; any thread may call it.
#ifndef KRATON_CONTEST_STUDENT_H
#define KRATON_CONTEST_STUDENT_H

// The chance of a value up to t, with so many degrees of freedom (at least 1).
double student_below(double t, double freedom);
// 95 % of all values lie between minus this and this.
double student_95(double freedom);

#endif
