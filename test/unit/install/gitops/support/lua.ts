import fengari from 'fengari';

const { lua, lauxlib, lualib, to_luastring, to_jsstring } = fengari;

/** What a health check returns. */
export interface LuaHealth {
  readonly status: string;
  readonly message: string;
}

/** Runs a health check on an object, with the libraries that Argo CD gives it, which are two. */
export function runHealthLua(code: string, object: unknown): LuaHealth {
  const state = lauxlib.luaL_newstate();
  for (const [name, open] of [
    ['_G', lualib.luaopen_base],
    ['table', lualib.luaopen_table],
  ] as const) {
    lauxlib.luaL_requiref(state, to_luastring(name), open, true);
    lua.lua_pop(state, 1);
  }
  push(state, object);
  lua.lua_setglobal(state, to_luastring('obj'));
  const failed =
    lauxlib.luaL_loadstring(state, to_luastring(code)) !== lua.LUA_OK || lua.lua_pcall(state, 0, 1, 0) !== lua.LUA_OK;
  if (failed) throw new Error(to_jsstring(lua.lua_tostring(state, -1)));
  return { status: field(state, 'status'), message: field(state, 'message') };
}

function field(state: object, name: string): string {
  lua.lua_getfield(state, -1, to_luastring(name));
  const text = to_jsstring(lua.lua_tostring(state, -1));
  lua.lua_pop(state, 1);
  return text;
}

/** As decodeValue of Argo CD's util/lua does: lists count from 1, and null is nil. */
function push(state: object, value: unknown): void {
  if (value === null || value === undefined) return lua.lua_pushnil(state);
  if (typeof value === 'boolean') return lua.lua_pushboolean(state, value);
  if (typeof value === 'string') return lua.lua_pushstring(state, to_luastring(value));
  // Lua 5.1 has one kind of number.
  if (typeof value === 'number') return lua.lua_pushnumber(state, value);
  lua.lua_createtable(state, 0, 0);
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'number') lua.lua_pushinteger(state, key + 1);
    else lua.lua_pushstring(state, to_luastring(key));
    push(state, item);
    lua.lua_settable(state, -3);
  }
}
