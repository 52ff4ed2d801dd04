export {
  DEFAULT_ENTRY,
  ENTRY_TEXT,
  NO_ENTRY,
  allowedAnnotations,
  defaultAnnotations,
  isEntry,
  type AllowedAnnotations,
  type AllowedAnnotationsInput,
} from './allowed.ts';
export { annotationWarnings, isAllowed, notAllowed } from './judge.ts';
export { foreignNames } from './namespaces.ts';
export { annotationsReference } from './reference.ts';
