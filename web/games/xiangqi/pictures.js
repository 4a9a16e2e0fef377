// The western piece set of Xiangqi: one silhouette a piece, drawn round the origin within 30 units. By type:
// chariot, cannon, horse, pawn, elephant, advisor, general.

export const PICTURES = [
    "",
    // A chariot's tower.
    "M-22 -24H-13V-17H-5V-24H5V-17H13V-24H22V-9L15 -3V11L20 18V24H-20V18L-15 11V-3L-22 -9Z",
    // A cannon on its wheel.
    "M-27 -6L17 -23Q23 -25 26 -19Q28 -13 22 -10L9 -4A15 15 0 1 1 -15 3L-19 5Q-26 7 -28 1Q-29 -4 -27 -6ZM-3 3A7 7 0 1 0 -3 17A7 7 0 1 0 -3 3ZM12 17H25V24H9Q12 21 12 17Z",
    // A horse's head.
    "M-4 -26L1 -19Q20 -15 22 8L23 24H-15Q-14 12 -3 5Q3 1 2 -6Q-4 1 -12 2L-17 8Q-22 10 -25 5L-26 0L-12 -17L-10 -25L-6 -21ZM-9 -13A2.6 2.6 0 1 0 -9 -7.8A2.6 2.6 0 1 0 -9 -13Z",
    // A foot soldier.
    "M0 -25A9.5 9.5 0 0 1 6 -8Q13 -6 13 -3H7Q8 8 16 14V24H-16V14Q-8 8 -7 -3H-13Q-13 -6 -6 -8A9.5 9.5 0 0 1 0 -25Z",
    // An elephant.
    "M-4 -16Q12 -22 21 -12Q27 -5 26 7L24 23H14V12H6V23H-5V10Q-9 11 -12 8Q-13 16 -17 20Q-22 24 -27 19L-25 15Q-20 18 -19 11Q-24 -1 -21 -9Q-16 -18 -4 -16ZM-14 -7A2.4 2.4 0 1 0 -14 -2.2A2.4 2.4 0 1 0 -14 -7ZM-6 -9Q1 -7 1 0Q0 6 -6 5Q-9 -2 -6 -9Z",
    // An advisor's shield.
    "M0 -28L23 -20V-2Q22 17 0 28Q-22 17 -23 -2V-20ZM0 -21L-16.5 -15.5V-2Q-15.5 12 0 20.5Q15.5 12 16.5 -2V-15.5ZM-10 -10L0 -13.5L10 -10V-1.5Q9.5 7 0 13Q-9.5 7 -10 -1.5Z",
    // A general's crown.
    "M-27 -13L-14 -1L-9 -22L0 -4L9 -22L14 -1L27 -13L20 15H-20ZM-20 19H20V25H-20ZM-27 -19A3.4 3.4 0 1 0 -27 -12A3.4 3.4 0 1 0 -27 -19ZM27 -19A3.4 3.4 0 1 0 27 -12A3.4 3.4 0 1 0 27 -19ZM-9 -28A3.4 3.4 0 1 0 -9 -21A3.4 3.4 0 1 0 -9 -28ZM9 -28A3.4 3.4 0 1 0 9 -21A3.4 3.4 0 1 0 9 -28Z",
];
