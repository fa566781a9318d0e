// The caller of a private route, as the guard of the accounts reads it from the database at each call.
export type SignedInUser = {
  id: string
  email: string
  display_name: string | null
  is_admin: boolean
  session_id: string
  aal: 'aal1' | 'aal2'
  /** Whether the account has a second factor; its sessions without it (`aal1`) are only half signed in. */
  has_factor: boolean
  /** When a password or a mailed link was last given; neither renewing a session nor a code counts. */
  signed_in_at: Date
  /** When a code was last given; enrolling a factor does not count. */
  factor_proved_at: Date | null
}
