export { capitalized } from './capitalized.ts';
export { embedded, isWithin, masked } from './cidr.ts';
export { largest, smallest } from './extremes.ts';
export { literal } from './literal.ts';
export { escapeUnseen, isPlain, plainText, plainValues } from './plain-text.ts';
export { editsBetween, similarTo } from './similar.ts';
export { canonicalQuantity, compareQuantities, normalisedQuantity, parseQuantity, type Quantity } from './quantity.ts';
export { isDnsLabel, isDnsName } from './dns.ts';
export { once } from './once.ts';
