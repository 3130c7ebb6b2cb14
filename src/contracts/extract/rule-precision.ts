import { measuredRules } from './measured-rules.ts'

/**
 * How sure a rule is of what it finds: the share of what it found in the labelled set that was right, drawn towards
 * one half where it found little. A rule that found nothing there has shown nothing.
 */
export function confidenceOf(rule: string): number {
  const [right, found] = measuredRules[rule] ?? [0, 0]
  return Math.round(((right + 1) / (found + 2)) * 100) / 100
}
