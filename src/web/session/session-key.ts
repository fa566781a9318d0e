// The key under which auth-js keeps the session in local storage.
export const storageKey = 'supabase.auth.token'
