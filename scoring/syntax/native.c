#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// RESERVED is what Go's runtime reserves as it starts (1 GB for the index of its heap, 64 MB for the heap and 104 MB
// beside), with room for a small heap. Where the second half of the index does not fit, Go 1.26 does not notice and
// maps pieces of it over the program.
#define RESERVED (1250UL << 20)

// Where the address space is limited (ulimit -v), threads share one heap and have small stacks: glibc would
// reserve 64 MB and 8 MB for each. It runs before there are threads, and before Go's runtime.
__attribute__((constructor)) static void save_space(void) {
  struct rlimit space;
  pthread_attr_t threads;
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) {
    return;
  }
#if UINTPTR_MAX > 0xffffffff
  void *room = mmap(NULL, RESERVED, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) {
    fprintf(stderr, "assay: the limit of %lu MB of address space is too low, of which Go's runtime reserves %lu as it "
      "starts: raise it to 1,500 MB (`ulimit -v 1536000`); memory is better limited by a cgroup\n",
      (unsigned long)(space.rlim_cur >> 20), RESERVED >> 20);
    _exit(1);
  }
  munmap(room, RESERVED);
#endif
  mallopt(M_ARENA_MAX, 1);
  pthread_attr_init(&threads);
  pthread_attr_setstacksize(&threads, 1 << 20);
  pthread_setattr_default_np(&threads);
  pthread_attr_destroy(&threads);
}
#endif

// What the parser does is paid for in bytes: those it allocates, and those it
// reads, again and again if it must. Both are the same for the same text on any
// machine, and neither can grow without being seen: hostile texts are expensive
// because ever longer lists of errors are copied, or because the same bytes are
// read again from ever further back. Steps of the parser alone say nothing; one
// step may copy a megabyte.
static _Thread_local uint64_t spent;

enum {
  CHUNK = 512,         // bytes that the lexer is given at once
  PRICE_OF_CHUNK = 4096,
  PRICE_OF_BLOCK = 32, // of an allocation, beside its bytes
  PRICE_OF_STEPS = 4096, // of a hundred
  PRICE_OF_ERRORS = 81920, // of a hundred steps while no reading of the text is free of errors
};

static void *sure(void *block, size_t size) {
  if (block == NULL && size != 0) {
    fprintf(stderr, "assay: no memory for %zu bytes of a syntax tree\n", size);
    abort();
  }
  return block;
}

static void *counting_malloc(size_t size) {
  spent += size + PRICE_OF_BLOCK;
  return sure(malloc(size), size);
}

static void *counting_calloc(size_t count, size_t size) {
  spent += count * size + PRICE_OF_BLOCK;
  return sure(calloc(count, size), count * size);
}

static void *counting_realloc(void *block, size_t size) {
  spent += size + PRICE_OF_BLOCK;
  return sure(realloc(block, size), size);
}

void assay_use_counting_allocator(void) {
  ts_set_allocator(counting_malloc, counting_calloc, counting_realloc, free);
}

// text is a source being parsed, and what parsing it may cost.
typedef struct {
  const char *bytes;
  uint32_t length;
  uint64_t budget;
} text;

// read_chunk hands the lexer a piece of the source; to a parser that has spent
// its budget it says that the text ends here, since a single step may read on
// for long.
static const char *read_chunk(void *payload, uint32_t at, TSPoint point, uint32_t *size) {
  (void)point;
  const text *t = payload;
  spent += PRICE_OF_CHUNK;
  if (at >= t->length || spent > t->budget) {
    *size = 0;
    return "";
  }
  *size = t->length - at < CHUNK ? t->length - at : CHUNK;
  return t->bytes + at;
}

static bool over_budget(TSParseState *state) {
  const text *t = state->payload;
  spent += state->has_error ? PRICE_OF_ERRORS : PRICE_OF_STEPS;
  return spent > t->budget;
}

static void put(assay_tree *tree, uint32_t *room, TSTreeCursor *cursor, uint32_t parent) {
  if (tree->count == *room) {
    *room = *room == 0 ? 256 : *room * 2;
    tree->nodes = sure(realloc(tree->nodes, *room * sizeof(assay_node)), *room);
  }
  TSNode node = ts_tree_cursor_current_node(cursor);
  TSPoint first = ts_node_start_point(node), last = ts_node_end_point(node);
  assay_node *n = &tree->nodes[tree->count];
  n->start = ts_node_start_byte(node);
  n->end = ts_node_end_byte(node);
  n->row = first.row;
  n->column = first.column;
  n->end_row = last.column == 0 && n->end > n->start ? last.row - 1 : last.row;
  n->parent = parent;
  n->children = 0;
  n->kind = ts_node_symbol(node);
  n->field = ts_tree_cursor_current_field_id(cursor);
  n->named = ts_node_is_named(node);
  n->missing = ts_node_is_missing(node);
  if (parent != tree->count) {
    tree->nodes[parent].children++;
  }
  tree->count++;
}

// lay_out walks the tree without recursion and cuts off what is too deep.
static void lay_out(assay_tree *tree, TSNode root, uint32_t max_depth) {
  uint32_t room = 0, at = 0, depth = 1;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  put(tree, &room, &cursor, 0);
  for (;;) {
    if (ts_tree_cursor_goto_first_child(&cursor)) {
      if (depth < max_depth) {
        put(tree, &room, &cursor, at);
        at = tree->count - 1;
        depth++;
        continue;
      }
      tree->cut = true;
      ts_tree_cursor_goto_parent(&cursor);
    }
    while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
      if (!ts_tree_cursor_goto_parent(&cursor)) {
        ts_tree_cursor_delete(&cursor);
        return;
      }
      at = tree->nodes[at].parent;
      depth--;
    }
    put(tree, &room, &cursor, tree->nodes[at].parent);
    at = tree->count - 1;
  }
}

assay_tree assay_parse(const void *language, const char *source, uint32_t length,
                       uint64_t budget, uint32_t max_depth) {
  assay_tree result = {0};
  text t = {source, length, budget};
  TSParser *parser = ts_parser_new();
  if (ts_parser_set_language(parser, language)) {
    spent = 0;
    TSInput input = {.payload = &t, .read = read_chunk, .encoding = TSInputEncodingUTF8};
    TSParseOptions options = {.payload = &t, .progress_callback = over_budget};
    TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
    result.spent = spent;
    if (tree != NULL && spent <= budget) {
      lay_out(&result, ts_tree_root_node(tree), max_depth);
    }
    if (tree != NULL) {
      ts_tree_delete(tree);
    }
  }
  ts_parser_delete(parser);
  return result;
}

void assay_free(assay_tree tree) { free(tree.nodes); }
