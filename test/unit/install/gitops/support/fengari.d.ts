/** The part of fengari that tests use: it has no types of its own. */
declare module 'fengari' {
  /** A state of Lua, and a text as it has it. */
  type State = object;
  type Text = Uint8Array;

  interface Fengari {
    readonly to_luastring: (text: string) => Text;
    readonly to_jsstring: (text: Text) => string;
    readonly lua: {
      readonly LUA_OK: number;
      readonly LUA_TNIL: number;
      readonly lua_createtable: (state: State, list: number, record: number) => void;
      readonly lua_getfield: (state: State, index: number, name: Text) => number;
      readonly lua_pcall: (state: State, given: number, returned: number, handler: number) => number;
      readonly lua_pop: (state: State, count: number) => void;
      readonly lua_pushboolean: (state: State, value: boolean) => void;
      readonly lua_pushinteger: (state: State, value: number) => void;
      readonly lua_pushnil: (state: State) => void;
      readonly lua_pushnumber: (state: State, value: number) => void;
      readonly lua_pushstring: (state: State, value: Text) => void;
      readonly lua_setglobal: (state: State, name: Text) => void;
      readonly lua_settable: (state: State, index: number) => void;
      readonly lua_tostring: (state: State, index: number) => Text;
    };
    readonly lauxlib: {
      readonly luaL_loadstring: (state: State, code: Text) => number;
      readonly luaL_newstate: () => State;
      readonly luaL_requiref: (state: State, name: Text, open: unknown, global: boolean) => void;
    };
    readonly lualib: { readonly luaopen_base: unknown; readonly luaopen_table: unknown };
  }

  const fengari: Fengari;
  export default fengari;
}
