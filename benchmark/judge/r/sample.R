# The sample's side for R: what python/sample.py is for Python. It shares a
# process with untrusted code, so nothing that it says is believed beyond "this
# call returned that value". Orders come as R text, written by assay; answers are
# JSON.
local({
  orders <- pipe("cat <&3", "rb") # R cannot read from a descriptor number
  answers <- pipe("cat >&4", "wb")

  receive <- function() {
    head <- readBin(orders, "raw", 4L)
    if (length(head) < 4L) quit(save = "no", status = 0L)
    size <- sum(as.integer(head) * 256^(3:0))
    text <- rawToChar(readBin(orders, "raw", size))
    hex <- substring(text, 2L, nchar(text) - 1L)
    bytes <- as.raw(strtoi(substring(hex, seq(1L, nchar(hex), 2L), seq(2L, nchar(hex), 2L)), 16L))
    source <- rawToChar(bytes)
    Encoding(source) <- "UTF-8"
    eval(parse(text = source, keep.source = FALSE), baseenv())
  }

  send <- function(text) {
    bytes <- charToRaw(enc2utf8(text))
    size <- length(bytes)
    writeBin(c(as.raw(c(size %/% 16777216, size %/% 65536 %% 256, size %/% 256 %% 256, size %% 256)), bytes), answers)
    flush(answers)
  }

  quoted <- function(x) {
    x <- enc2utf8(x)
    x <- gsub("\\", "\\\\", x, fixed = TRUE)
    x <- gsub("\"", "\\\"", x, fixed = TRUE)
    x <- gsub("\n", "\\n", x, fixed = TRUE)
    x <- gsub("\r", "\\r", x, fixed = TRUE)
    x <- gsub("\t", "\\t", x, fixed = TRUE)
    x <- gsub("[[:cntrl:]]", " ", x)
    paste0("\"", x, "\"")
  }

  opaque <- function(x) {
    paste0("{\"$opaque\":{\"type\":", quoted(class(x)[1L]), ",\"text\":", quoted(paste0("<", class(x)[1L], ">")), "}}")
  }

  number <- function(x) {
    text <- sprintf("%.17g", x)
    if (all(is.finite(x))) return(text)
    ifelse(is.nan(x), "{\"$float\":\"nan\"}", ifelse(is.na(x), "null",
      ifelse(is.infinite(x), ifelse(x > 0, "{\"$float\":\"inf\"}", "{\"$float\":\"-inf\"}"), text)))
  }

  joined <- function(parts, names) {
    if (length(parts) == 0L) return("[]") # with or without names
    if (is.null(names)) {
      if (length(parts) == 1L) return(parts) # R has no scalars
      return(paste0("[", paste(parts, collapse = ","), "]"))
    }
    paste0("{", paste0(vapply(names, quoted, ""), ":", parts, collapse = ","), "}")
  }

  # R copies no list until it is changed, so one can have a part many times: it has more parts than the program has
  # objects.
  many <- 20000L
  encoded <- function(x) {
    parts <<- 0
    tryCatch(encode(x), knot = function(e) opaque(x))
  }

  parts <- 0
  encode <- function(x, depth = 0L) {
    parts <<- parts + 1
    if (parts %% many == 0 && parts > gc()[1L, 1L] - before) stop(structure(class = c("knot", "condition"), list(message = "", call = NULL)))
    if (depth > 150L) return(opaque(x))
    if (is.null(x)) return("null")
    if (is.list(x) && is.null(attributes(x))) return(joined(vapply(x, encode, "", depth + 1L), NULL))
    if (is.factor(x) || inherits(x, c("Date", "POSIXt", "difftime"))) x <- as.character(x)
    if (is.data.frame(x)) {
      x <- lapply(x, function(column) column)
      return(joined(vapply(x, encode, "", depth + 1L), names(x)))
    }
    if (is.matrix(x)) {
      rows <- vapply(seq_len(nrow(x)), function(i) encode(unname(x[i, ]), depth + 1L), "")
      return(joined(rows, NULL))
    }
    if (is.list(x)) return(joined(vapply(x, encode, "", depth + 1L, USE.NAMES = FALSE), names(x)))
    if (is.logical(x)) return(joined(ifelse(is.na(x), "null", ifelse(x, "true", "false")), names(x)))
    if (is.numeric(x)) return(joined(number(as.double(x)), names(x)))
    if (is.complex(x)) return(joined(paste0("{\"$complex\":[", number(Re(x)), ",", number(Im(x)), "]}"), names(x)))
    if (is.character(x)) return(joined(ifelse(is.na(x), "null", vapply(x, quoted, "", USE.NAMES = FALSE)), names(x)))
    opaque(x)
  }

  failure <- function(kind, e) {
    classes <- paste(vapply(class(e), quoted, ""), collapse = ",")
    paste0("{\"k\":\"", kind, "\",\"type\":", quoted(class(e)[1L]), ",\"names\":[", classes, "],\"text\":",
      quoted(substr(conditionMessage(e), 1L, 2000L)))
  }

  for (i in 1:3) encode(list(1, "text", list(a = TRUE))) # R compiles what is called again, which makes objects
  before <- gc()[1L, 1L]
  send("{\"k\":\"ready\"}")
  order <- receive()
  entry <- order$entry
  program <- tryCatch(parse(text = order$program, keep.source = FALSE), error = identity)
  if (inherits(program, "error")) {
    send(paste0(failure("syntax", program), "}"))
  } else {
    answer <- tryCatch({
      for (expression in program) eval(expression, globalenv())
      if (exists(entry, envir = globalenv(), mode = "function")) "{\"k\":\"loaded\"}"
      else paste0("{\"k\":\"load\",\"type\":\"simpleError\",\"names\":[],\"text\":", quoted(paste("the answer defines no function", entry)), "}")
    }, error = function(e) paste0(failure("load", e), "}"))
    send(answer)
  }
  repeat {
    order <- receive()
    answer <- tryCatch({
      value <- do.call(get(entry, envir = globalenv(), mode = "function"), order$args)
      paste0("{\"k\":\"value\",\"v\":", encoded(value))
    }, error = function(e) failure("raise", e))
    send(paste0(answer, ",\"id\":", order$id, "}"))
  }
})
