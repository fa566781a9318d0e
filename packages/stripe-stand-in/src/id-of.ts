// The id in a field that Stripe's types allow to be expanded.

/** Empty where the field is. */
export function idOf(field: string | { id: string } | null | undefined): string {
  return typeof field === 'string' ? field : (field?.id ?? '')
}
