#include "tablebase/surakarta/build/kernel.h"

tb_routes tb_routes_of[SK_POINTS];

// Station bits of a ring: six of every eight, the loops between one byte and the next.
static int next_station(int station, int direction) {
    int line = station / 8, place = station % 8 + direction;
    if (place < 0 || place > 5) {
        line = (line & 4) | ((line + direction) & 3);
        place = direction > 0 ? 0 : 5;
    }
    return line * 8 + place;
}

static void add_way(tb_routes *routes, int from, int station, int direction) {
    uint64_t crossed = 0;
    int way = routes->ways++, first_line = station / 8;
    bool over_loop = false;
    for (int i = 1; i < SK_STATIONS; i++) {
        station = next_station(station, direction);
        over_loop = over_loop || station / 8 != first_line;
        int point = sk_ring_point[station];
        if (point == from)
            continue; // the mover is no obstacle to itself
        // A point that was crossed before is either empty or ended the way there.
        if (over_loop && !(crossed & sk_bit(point)))
            routes->routes[way][routes->count[way]++] = (tb_route){(uint8_t)point, crossed};
        crossed |= sk_bit(point);
    }
}

AT_START static void fill_routes(void) {
    for (int from = 0; from < SK_POINTS; from++)
        for (uint64_t stations = sk_ring_bits[from]; stations;) {
            int station = bits_pop(&stations);
            add_way(&tb_routes_of[from], from, station, 1);
            add_way(&tb_routes_of[from], from, station, -1);
        }
}
