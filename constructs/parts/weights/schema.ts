export { accessMode } from './access-mode.schema.ts';
