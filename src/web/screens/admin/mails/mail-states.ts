export const mailStates = {
  sent: { label: 'Sent', look: 'highlighted' },
  kept: { label: 'Kept', look: 'toned' },
  failed: { label: 'Failed', look: 'danger' },
} as const
