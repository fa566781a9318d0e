// The link of a sign-up may be opened on another device. The password typed here then opens a session here.
import { authTexts } from '#words/auth.ts'
import { useEffect } from 'react'
import { signIn, type Credentials } from '../../accounts.ts'
import { toast } from '../../toasts.tsx'
import { storedSession } from '../../session.ts'

const intervalMs = 10_000
/** Afterwards a sign-in by hand remains. */
const maxTries = 180

/** Asks while the page is visible, and at once when it becomes so. */
export function useConfirmedElsewhere(credentials: Credentials | undefined): void {
  useEffect(() => {
    if (!credentials) return undefined
    let isOver = false
    let isAsking = false
    let tries = 0
    async function ask(typed: Credentials) {
      if (isOver || isAsking || document.hidden || storedSession()) return
      isAsking = true
      const { problem, code } = await signIn(typed)
      isAsking = false
      tries += 1
      if (isOver) return
      if (!problem && storedSession()) toast(authTexts.emailConfirmed)
      // Another sign-up with this address was confirmed, with its own password.
      isOver = tries >= maxTries || !problem || code === 'invalid_credentials'
    }
    const askNow = () => void ask(credentials)
    const timer = setInterval(askNow, intervalMs)
    document.addEventListener('visibilitychange', askNow)
    return () => {
      isOver = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', askNow)
    }
  }, [credentials])
}
