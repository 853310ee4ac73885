// Everything is inline in the headers; this file proves that each compiles on its own.
#include "files.h"
#include "processes.h"
