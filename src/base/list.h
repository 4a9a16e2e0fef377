// Doubly linked lists of structures that hold their own links. A zeroed list is empty and valid;
// lists own nothing and allocate nothing. Going through one:
//
//     for (list_link *l = lobby->seeks.first; l; l = l->next) {
//         seek *s = LIST_ITEM(l, seek, link);
//
// To remove the current item, read l->next first.
#ifndef KRATON_BASE_LIST_H
#define KRATON_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct list_link {
    struct list_link *next, *previous;
} list_link;

typedef struct {
    list_link *first, *last;
} linked_list;

static inline void *list_item(list_link *link, size_t offset) {
    return link ? (char *)link - offset : NULL;
}

// The structure that holds a link; NULL for NULL.
#define LIST_ITEM(link, type, member) ((type *)list_item(link, offsetof(type, member)))

static inline bool list_is_empty(const linked_list *l) { return l->first == NULL; }

// Adds a link that is in no list behind `before`, which is in this one; NULL: at the front.
static inline void list_insert(linked_list *l, list_link *before, list_link *link) {
    list_link *next = before ? before->next : l->first;
    *link = (list_link){.next = next, .previous = before};
    *(before ? &before->next : &l->first) = link;
    *(next ? &next->previous : &l->last) = link;
}

static inline void list_append(linked_list *l, list_link *link) { list_insert(l, l->last, link); }

static inline void list_prepend(linked_list *l, list_link *link) { list_insert(l, NULL, link); }

// Whether a link that was zeroed at first is in the list.
static inline bool list_has(const linked_list *l, const list_link *link) {
    return link->previous || link->next || l->first == link;
}

// Removes a link that is in the list.
static inline void list_remove(linked_list *l, list_link *link) {
    *(link->previous ? &link->previous->next : &l->first) = link->next;
    *(link->next ? &link->next->previous : &l->last) = link->previous;
    *link = (list_link){NULL, NULL};
}

// Removes the first link and returns it; NULL when the list is empty.
static inline list_link *list_take_first(linked_list *l) {
    list_link *first = l->first;
    if (first)
        list_remove(l, first);
    return first;
}

#endif
