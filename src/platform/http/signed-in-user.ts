// Read from the database at each call.
export type SignedInUser = {
  id: string
  email: string
  display_name: string | null
  is_admin: boolean
  session_id: string
  aal: 'aal1' | 'aal2'
  has_factor: boolean
  /** By a password or a mailed link, not by a code or a renewed session. */
  signed_in_at: Date
  /** Enrolling a factor does not count. */
  factor_proved_at: Date | null
}
