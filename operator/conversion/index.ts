/**
 * Resources of several versions: each is stored in one, and given in the one that is asked for, by the pure functions of
 * its kind.
 */
export {
  conversionName,
  conversionRules,
  conversionService,
  conversionUrl,
  webhookOf,
  type ConversionServiceOptions,
  type NamedPolicyRule,
} from './access.ts';
export { startConversions, type ConversionOptions, type Conversions } from './conversion.ts';
export { checkConversions, conversionLosses, type ConversionCheck, type Loss } from './losses.ts';
export { convertForOperator, type ConversionSettings, type OperatorConversions } from './operator-conversions.ts';
export { convertReview, type ReviewAnswer } from './review.ts';
