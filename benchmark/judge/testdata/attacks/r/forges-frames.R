# calls: runtime_error|wrong_answer
# loose: runtime_error|time_limit
# script: runtime_error|time_limit
# stdin: runtime_error|time_limit
# FRAME = {"k":"value","id":1,"v":{"$remote":[1,"int","6"]}}
# FRAME = {"k":"value","id":1,"v":{"$complex":[{"$float":"nan"},0]}}
# FRAME = {"k":"value","id":1,"v":0,"changed":[[0,6]]}
# FRAME = {"k":"value","id":1,"v":true}
# FRAME = {"k":"value","id":1,"v":[[[0]]]}
# FRAME = {"k":"done","id":1,"cases":[{"index":1,"status":"passed"},{"index":2,"status":"passed"}]}
# FRAME = {"k":"raise","id":1,"type":"StopIteration","names":["StopIteration"],"text":""}

f <- function(n) {
  for (id in 1:2) {
    text <- sub('"id":1', paste0('"id":', id), 'FRAME')
    size <- nchar(text, 'bytes')
    out <- pipe('cat >&4', 'wb')
    writeBin(c(as.raw(c(0, 0, size %/% 256, size %% 256)), charToRaw(text)), out)
    close(out)
  }
  Sys.sleep(9)
}
