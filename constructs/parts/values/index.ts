export { embedded, isWithin, masked } from './cidr.ts';
export { largest, smallest } from './extremes.ts';
export { literal } from './literal.ts';
export { escapeUnseen, isPlain, plainText, plainValues } from './plain-text.ts';
export { canonicalQuantity, compareQuantities, parseQuantity, type Quantity } from './quantity.ts';
