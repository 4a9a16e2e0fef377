#include "games/model.h"
#include "games/surakarta/model.h"
#include "games/xiangqi/model.h"

static const eval_model *const models[] = {&sk_model, &xq_model};

const eval_model *model_find(const rules_game *game) {
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (rules_find(text_of(models[i]->game)) == game)
            return models[i];
    return NULL;
}
