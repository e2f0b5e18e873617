/* Columns of lists and sentences: how cells are split, which columns are such, the features they give, and tables that
 * are read by the plan of a model. */
#include "data/plan.h"
#include "io/nodes/word_lists.h"
#include "table_files.h"

/* ---- cells ---- */

static void splits(gpr_ctx *ctx, gpri_list_form form, const char *cell, const char *expected) {
    gpri_words words = {.ctx = ctx};
    char text[400] = "";
    assert_ok(gpri_words_split(&words, form, cell, (int64_t)strlen(cell)));
    for (int64_t w = 0; w < words.count; w++)
        sprintf(text + strlen(text), "<%.*s>", (int)words.word[w].size, words.word[w].text);
    assert_string_equal(text, expected);
    gpri_words_free(&words);
}

static void test_cells(void **state) {
    gpr_ctx *ctx = ((tables *)*state)->ctx;
    splits(ctx, GPRI_LIST_BARS, "Action|Sci-Fi | Old Film||", "<Action><Sci-Fi><Old Film>");
    splits(ctx, GPRI_LIST_SEMICOLONS, "a; b;c", "<a><b><c>");
    splits(ctx, GPRI_LIST_COMMAS, "red, blue", "<red><blue>");
    splits(ctx, GPRI_LIST_BLANKS, "The quick,  \"brown\" FOX (jumps).", "<the><quick><brown><fox><jumps>");
    splits(ctx, GPRI_LIST_BLANKS, "C++ #tag ...", "<c++><#tag>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"a\", \"b c\",\"d\"]", "<a><b c><d>");
    splits(ctx, GPRI_LIST_BRACKETS, "['a', 'it\\'s', \"d'\"]", "<a><it's><d'>");
    splits(ctx, GPRI_LIST_BRACKETS, "['a' 'b']", "<a><b>"); /* of numpy */
    splits(ctx, GPRI_LIST_BRACKETS, "{1, 2.5}", "<1><2.5>");
    splits(ctx, GPRI_LIST_BRACKETS, "[{\"id\": 18, \"name\": \"Drama\"}, {\"id\": 35}]",
           "<id><18><name><Drama><id><35>");
    splits(ctx, GPRI_LIST_BRACKETS, "[[1, 2], [3]]", "<1><2><3>");
    splits(ctx, GPRI_LIST_BRACKETS, "[a [x], b:c, d{}]", "<a [x]><b:c><d{}>");
    splits(ctx, GPRI_LIST_BRACKETS, "[]", "");
    splits(ctx, GPRI_LIST_BRACKETS, "(,)", "");
    splits(ctx, GPRI_LIST_BRACKETS, "plain, text", "<plain, text>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"caf\\u00e9\", \"\\ud83d\\ude00\", \"a\\nb\"]",
           "<caf\xc3\xa9><\xf0\x9f\x98\x80><a\nb>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"open", "<[\"open>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"open]", "<open>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"\\", "<[\"\\>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"\\]", "<\\>");
    splits(ctx, GPRI_LIST_BRACKETS, "[\"\\u00\"]", "<u00>");
    splits(ctx, GPRI_LIST_BARS,
           "b\xff"
           "d|x",
           "<b?d><x>"); /* becomes UTF-8 */
}

/* ---- the rule ---- */

static const char *const genres[] = {"Action", "Comedy", "Crime", "Drama", "Horror", "Romance", "War", "Western"};
static char text[400];

static uint32_t number_of(int row, int draw) {
    uint32_t x = (uint32_t)row * 2654435761u + (uint32_t)draw * 40503u + 12345u;
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13, x *= 3266489917u;
    return x ^ x >> 16;
}

/* Words of a vocabulary, `least` to `most` of them. */
static const char *list_of(int row, const char *mark, int least, int most, int vocabulary) {
    const int count = least + (int)(number_of(row, 99) % (uint32_t)(most - least + 1));
    *text = 0;
    for (int w = 0; w < count; w++) {
        const uint32_t word = number_of(row, w) % (uint32_t)vocabulary;
        if (vocabulary == 8) sprintf(text + strlen(text), "%s%s", w ? mark : "", genres[word]);
        else sprintf(text + strlen(text), "%sw%u", w ? mark : "", word);
    }
    return text;
}

static const char *bars(int row) { return list_of(row, "|", 1, 3, 8); }
static const char *keywords(int row) { return list_of(row, "|", 5, 5, 600); } /* nearly each cell is another */
static const char *semicolons(int row) { return list_of(row, "; ", 1, 4, 20); }
static const char *commas(int row) { return list_of(row, ", ", 1, 4, 20); }
static const char *few_words(int row) { return list_of(row, " ", 2, 5, 100); }
static const char *many_words(int row) { return list_of(row, " ", 8, 30, 2000); }
static const char *sentences(int row) {
    list_of(row, " ", 8, 20, 900);
    char *middle = strchr(text + 12, ' ');
    *middle = ',';
    memmove(middle + 2, middle + 1, strlen(middle)), middle[1] = ' ';
    return text;
}
static const char *json(int row) {
    char inner[300];
    snprintf(inner, sizeof inner, "%s", list_of(row, "\"\", \"\"", 1, 3, 8)); /* "" is a quote of the table */
    snprintf(text, sizeof text, "[\"\"%s\"\"]", inner);
    return text;
}

static const char *const cities[] = {"New York", "Los Angeles", "San Francisco", "Bonn", "New Orleans"};
static const char *city(int row) { return cities[number_of(row, 1) % 5]; }
static const char *place(int row) { /* "w3, w1": a town and its land */
    snprintf(text, sizeof text, "w%u, x%u", number_of(row, 1) % 300, number_of(row, 1) % 300 % 7);
    return text;
}
static const char *person(int row) {
    snprintf(text, sizeof text, "First%u Last%u", number_of(row, 1) % 20, number_of(row, 2) % 30);
    return text;
}
static const char *surname(int row) {
    snprintf(text, sizeof text, "Last%u, First%u", number_of(row, 1) % 30, number_of(row, 2) % 20);
    return text;
}
static const char *page(int row) { /* a name of a few words, most of them its own */
    snprintf(text, sizeof text, "The %s of x%d%s", genres[number_of(row, 1) % 8], row, row % 3 ? "" : " Inc");
    return text;
}
static const char *key(int row) {
    snprintf(text, sizeof text, "a%d|b%d", row, row + 7);
    return text;
}
static const char *phone(int row) {
    snprintf(text, sizeof text, "0%u %u %u", number_of(row, 1) % 90, number_of(row, 2) % 9000,
             number_of(row, 3) % 9000);
    return text;
}
static const char *dates(int row) {
    snprintf(text, sizeof text, "2024-%02d-%02d 10:30", row % 12 + 1, row % 28 + 1);
    return text;
}
static const char *vector(int row) {
    snprintf(text, sizeof text, "[0.%03u, -1.%03u]", number_of(row, 1) % 20 + 1, number_of(row, 2) % 20 + 1);
    return text;
}
static const char *whole(int row) {
    snprintf(text, sizeof text, "[%u, %u]", number_of(row, 1) % 20, number_of(row, 2) % 20);
    return text;
}
static const char *level(int row) {
    return row % 2 ? "less than high school" : row % 3 ? "some college but no degree" : "none";
}

static const char *kind_of(tables *t, int rows, const char *(*cell)(int)) {
    static char kind[40];
    gpr_dataset *data;
    FILE *file = fopen(t->nodes, "w");
    assert_non_null(file);
    fputs("id,x\n", file);
    for (int i = 0; i < rows; i++) fprintf(file, "%d,\"%s\"\n", i, cell(i));
    assert_int_equal(fclose(file), 0);
    put_text(t->edges, "0,1\n");
    warnings[0] = 0;
    assert_ok(gpr_dataset_open_with(t->ctx, &data, &t->options));
    const gpri_column *x = &data->plan->columns[1];
    snprintf(kind, sizeof kind, "%s %s", gpri_kind_word(x->kind), gpri_list_word(x->form));
    gpr_dataset_free(data);
    return kind;
}

static void test_rule(void **state) {
    static const struct {
        const char *(*cell)(int);
        const char *kind;
    } cases[] = {{bars, "words bars"},        {keywords, "words bars"},    {semicolons, "words semicolons"},
                 {commas, "words commas"},    {few_words, "words blanks"}, {many_words, "words blanks"},
                 {sentences, "words blanks"}, {json, "words brackets"},    {city, "category none"},
                 {place, "category none"},    {person, "category none"},   {surname, "category none"},
                 {page, "text none"},         {key, "text none"},          {phone, "text none"},
                 {dates, "date none"},        {level, "category none"},
                 {vector, "category none"},   {whole, "words brackets"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(kind_of(*state, 3000, cases[i].cell), cases[i].kind);
        /* of few rows too, but for what needs many to be seen: a category of 800 people may be names here */
        if (cases[i].cell != person && cases[i].cell != surname && cases[i].cell != keywords)
            assert_string_equal(kind_of(*state, 800, cases[i].cell), cases[i].kind);
    }
    /* the 20,000th different text: lists are no names that are given up */
    assert_string_equal(kind_of(*state, 30000, many_words), "words blanks");
    assert_string_equal(kind_of(*state, 30000, page), "text none");
}

/* The first 1000 cells do not show it, the others do. */
static const char *late(int row) { return row < 1200 ? genres[row % 8] : list_of(row, "|", 1, 3, 8); }

static void test_late(void **state) { assert_string_equal(kind_of(*state, 5000, late), "words bars"); }

/* ---- features ---- */

static void test_features(void **state) {
    tables *t = *state;
    put_text(t->edges, "a,b\n");
    put_text(t->nodes, "id,g,n\na,War|Crime|War,1\nb,Crime,2\nc,,3\nd,War|Drama,4\ne,Crime|War,5\nf,Drama|Old,6\n");
    gives(t, "a b c d e f; 0-1; g:Crime g:Drama g:War n: 1,0,1,1 1,0,0,2 0,0,0,3 0,1,1,4 1,0,1,5 0,1,0,6;");
    assert_string_equal(warnings, "");
    t->options.max_values = 1; /* the most frequent */
    gives(t, "a b c d e f; 0-1; g:Crime n: 1,1 1,2 0,3 0,4 1,5 0,6;");
    t->options.max_values = 0;
    t->options.categorical = "g";
    gives(t, "a b c d e f; 0-1; g=Crime g=Crime|War g=Drama|Old g=War|Crime|War g=War|Drama n: 0,0,0,1,0,1 1,0,0,0,0,2 "
             "0,0,0,0,0,3 0,0,0,0,1,4 0,1,0,0,0,5 0,0,1,0,0,6;");
    t->options.categorical = NULL;
    put_text(t->nodes, "id,g\na,big dog\nb,big cat\nc,NA\nd,\"dog, cat\"\n"); /* too few to be seen */
    t->options.words = "g";
    gives(t, "a b c d; 0-1; g:big g:cat g:dog: 1,0,1 1,1,0 0,0,0 0,1,1;");
    t->options.words = "1";
    fails(t, GPR_ERROR_ARGUMENT, "n.csv: column 'id' is said to be words, but its role is id");
    t->options.words = "g";
    put_text(t->nodes, "id,g\na,one\nb,two\n");
    gives(t, "a b; 0-1;;");
    assert_string_equal(warnings, "n.csv: column 'g': no two cells share a word: it is left out\n");
}

/* A model keeps the words and the form of the cells, and reads new tables by them. */
static void test_model(void **state) {
    tables *t = *state;
    FILE *file = fopen(t->nodes, "w");
    put_text(t->edges, "0,1\n");
    assert_non_null(file);
    fputs("id,g,y\n", file);
    for (int i = 0; i < 200; i++) fprintf(file, "%d,%s,%s\n", i, bars(i), i % 2 ? "u" : "v");
    assert_int_equal(fclose(file), 0);
    t->options.label = "y";
    gpr_model *model = trained(t);
    t->options.label = NULL;
    t->options.plan = gpr_model_plan(model);
    put_text(t->nodes, "id,g\n0,War|Unheard\n1,Western\n2,\n3,Horror|War\n");
    gives(t, "0 1 2 3; 0-1; g:Action g:Comedy g:Crime g:Drama g:Horror g:Romance g:War g:Western: 0,0,0,0,0,0,1,0 "
             "0,0,0,0,0,0,0,1 0,0,0,0,0,0,0,0 0,0,0,0,1,0,1,0;");
    assert_string_equal(warnings, "");
    put_text(t->nodes, "id,g\n0,War Crime\n1,Western Old\n2,War\n");
    gives(t, "0 1 2; 0-1; g:Action g:Comedy g:Crime g:Drama g:Horror g:Romance g:War g:Western: 0,0,0,0,0,0,0,0 "
             "0,0,0,0,0,0,0,0 0,0,0,0,0,0,1,0;");
    assert_string_equal(warnings, "n.csv: column 'g': in 2 of 3 cells the model knows none of the words (bars)\n");
    gpr_model_free(model);
}

static void wrong_plan(gpr_ctx *ctx, const char *rest, const char *part) {
    char plan[500];
    gpri_plan *read;
    snprintf(plan, sizeof plan,
             "{\"columns\":[{\"name\":\"g\",\"role\":\"feature\",\"kind\":\"words\",\"distinct\":2,\"missing\":0,"
             "\"odd\":0,\"features\":1,%s}]}",
             rest);
    if (part) assert_fails(gpri_plan_read(ctx, &read, plan, "m"), GPR_ERROR_FORMAT, part);
    else assert_ok(gpri_plan_read(ctx, &read, plan, "m"));
    gpri_plan_free(read);
}

static void test_plan_text(void **state) {
    gpr_ctx *ctx = ((tables *)*state)->ctx;
    wrong_plan(ctx, "\"form\":\"bars\",\"values\":[\"a\"]", NULL);
    wrong_plan(ctx, "\"form\":\"none\",\"values\":[\"a\"]", "column 1: the form of its lists is not known");
    wrong_plan(ctx, "\"form\":7,\"values\":[\"a\"]", "column 1: the form of its lists is not known");
    wrong_plan(ctx, "\"form\":\"bars\"", "column 1: there is no list of its values");
    wrong_plan(ctx, "\"form\":\"bars\",\"values\":[\"a\",\"b\"]", "its number of features does not fit its kind");
}

static void test_memory(void **state) {
    tables *t = *state;
    kind_of(t, 300, bars);
    fail_every_allocation(trial, &t->options);
    kind_of(t, 1100, json);
    fail_every_allocation(trial, &t->options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TABLE_TEST(test_cells), TABLE_TEST(test_rule),      TABLE_TEST(test_late),   TABLE_TEST(test_features),
        TABLE_TEST(test_model), TABLE_TEST(test_plan_text), TABLE_TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
