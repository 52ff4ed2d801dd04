export { quantity } from './quantity.schema.ts';
