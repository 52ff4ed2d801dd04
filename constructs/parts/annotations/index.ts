export { allowedAnnotations, defaultAnnotations } from './allowed.ts';
export type { AllowedAnnotations, AllowedAnnotationsInput } from './allowed.ts';
export { annotationWarnings, isAllowed, notAllowed } from './judge.ts';
export { foreignNames } from './namespaces.ts';
