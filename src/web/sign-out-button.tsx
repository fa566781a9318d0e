// Leaves: goes home, ends the session in this browser, and says so.
import { useNavigate } from 'react-router'
import { notices } from './copy.ts'
import { signOut } from './session.ts'
import { toast } from './toasts.tsx'
import { Button } from './ui/button.tsx'

export function SignOutButton({ className = '' }: { className?: string }) {
  const navigate = useNavigate()
  async function leave() {
    // First, for a private page that loses its session leads to the sign-in.
    await navigate('/', { replace: true })
    await signOut()
    toast(notices.signedOut)
  }
  return (
    <Button look="outline" className={`max-sm:px-3 ${className}`} onClick={() => void leave()}>
      Sign Out
    </Button>
  )
}
