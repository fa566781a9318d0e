// Leaves: ends the session in this browser, says so, and goes home.
import { useNavigate } from 'react-router'
import { notices } from './copy.ts'
import { signOut } from './session.ts'
import { toast } from './toasts.tsx'
import { Button } from './ui/button.tsx'

export function SignOutButton() {
  const navigate = useNavigate()
  async function leave() {
    await signOut()
    toast(notices.signedOut)
    // In place of the sign-in, to which a private page leads that has lost its session.
    await navigate('/', { replace: true })
  }
  return (
    <Button look="outline" className="max-sm:px-3" onClick={() => void leave()}>
      Sign Out
    </Button>
  )
}
