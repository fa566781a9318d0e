import { siteTexts } from '#words/site.ts'
import { lazy, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from './session.ts'
import { toast } from './toasts.tsx'
import { Button } from './components/button.tsx'
import { discardUnsavedChanges, hasUnsavedChanges } from './use-unsaved-changes.ts'

const SignOutQuestion = lazy(() => import('./sign-out-question.tsx'))

export function SignOutButton({ className = '' }: { className?: string }) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  async function leave() {
    // First, for a private page that loses its session leads to the sign-in.
    await navigate('/', { replace: true })
    await signOut({ isByUser: true })
    toast({ title: siteTexts.signedOut })
  }
  return (
    <>
      <Button
        look="outline"
        className={`max-sm:px-3 ${className}`}
        onClick={() => (hasUnsavedChanges() ? setIsAsking(true) : void leave())}
      >
        {siteTexts.signOut}
      </Button>
      {isAsking && (
        <Suspense>
          <SignOutQuestion
            onClose={() => setIsAsking(false)}
            onConfirm={() => {
              discardUnsavedChanges()
              void leave()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
