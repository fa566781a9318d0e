// What the author may take off the list of what needs attention. Without schemas: pages read it that check no form.
export const dismissableKinds = [
  'held',
  'refund',
  'refund_failed',
  'event',
  'mail',
  'outage',
  'unproven_withdrawal',
] as const
export type DismissableKind = (typeof dismissableKinds)[number]
