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
    // An advisor's hat with its wings.
    "M-9 -8Q-9 -23 0 -23Q9 -23 9 -8L10 -2H27Q29 1 27 4H11V8H-11V4H-27Q-29 1 -27 -2H-10ZM-8 12H8Q12 14 15 24H-15Q-12 14 -8 12ZM-2 -17V-11H2V-17Z",
    // A general's helmet.
    "M-2 -29H2V-22Q4 -20 4 -17Q19 -12 20 4L25 7V13H20Q19 20 15 25L10 20V9H-10V20L-15 25Q-19 20 -20 13H-25V7L-20 4Q-19 -12 -4 -17Q-4 -20 -2 -22ZM-12 2H12V-1H-12Z",
];
