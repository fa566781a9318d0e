// Order numbers as people say and type them: "#1042".

export function formatOrderNumber(number: number): string {
  return `#${number}`
}

/** Undefined for what is no order number. Nine digits at most: the column is a 32-bit integer. */
export function parseOrderNumber(text: string): number | undefined {
  const digits = /^#?(\d{1,9})$/.exec(text.trim())?.[1]
  return digits === undefined ? undefined : Number(digits)
}
