// libxkbcommon: what the keys of a Wayland keyboard stand for.
#pragma once

#include <xkbcommon/xkbcommon.h>
