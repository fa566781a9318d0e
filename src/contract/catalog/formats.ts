// The formats of a book. Without schemas: pages read them that check no form.
export const formats = ['digital', 'paperback', 'hardcover', 'bundle'] as const
export type Format = (typeof formats)[number]

export const isOnPaper = (format: Format) => format === 'paperback' || format === 'hardcover'
