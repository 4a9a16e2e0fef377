#include <stdio.h>

int main(void) {
    puts("kraton");
    return 0;
}
