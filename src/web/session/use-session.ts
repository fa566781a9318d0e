// Hooks that read the session of the browser.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import {
  fetchMe,
  needsCode,
  nobody,
  onSessionChange,
  parseSession,
  readStored,
  signOutSignal,
  whole,
  type Me,
  type StoredSession,
} from './session.ts'

export function useSession(): StoredSession | undefined {
  return whole(useStored())
}

export function usePendingSession(): StoredSession | undefined {
  const session = useStored()
  return session && needsCode(session) ? session : undefined
}

function useStored(): StoredSession | undefined {
  const stored = useSyncExternalStore(onSessionChange, readStored, () => null)
  return useMemo(() => parseSession(stored), [stored])
}

export function useMe(): Me {
  const user_id = useSession()?.user.id
  const [me, setMe] = useState<Me & { user_id: string }>()
  useEffect(() => {
    if (!user_id) return
    const signal = signOutSignal()
    fetchMe(signal).then(
      (me) => setMe({ user_id, ...me }),
      (error: unknown) => {
        if (!signal.aborted) console.warn('Whether this is an admin could not be asked:', error)
      },
    )
  }, [user_id])
  return me && me.user_id === user_id ? me : nobody
}
