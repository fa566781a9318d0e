export type PostalAddress = {
  name: string
  line1: string
  line2: string
  city: string
  state: string
  postal_code: string
  /** ISO 3166-1 alpha-2. */
  country: string
  phone: string
}
