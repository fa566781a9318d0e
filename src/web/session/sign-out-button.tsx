// The button that signs the user out.
import { siteTexts } from '#words/site.ts'
import { lazy, Suspense, useState } from 'react'
import { namedNotice } from '../notices/named-notice.ts'
import { storeNotice } from '../notices/stored-notice.ts'
import { failure } from '../notices/send.ts'
import { signOut } from './session.ts'
import { toast } from '../notices/toasts.tsx'
import { Button } from '../components/button.tsx'
import { discardUnsavedChanges, hasUnsavedChanges } from '../forms/unsaved-changes.ts'

const SignOutQuestion = lazy(() => import('./sign-out-question.tsx'))

type SignOutButtonProps = { className?: string; look?: 'outline' | 'quiet' }

export function SignOutButton({ className = '', look = 'outline' }: SignOutButtonProps) {
  const [isAsking, setIsAsking] = useState(false)
  async function leave() {
    try {
      await signOut({ isByUser: true })
      storeNotice(namedNotice('signed-out'))
      location.replace('/')
    } catch (error) {
      toast(failure(siteTexts.signOut, error))
    }
  }
  return (
    <>
      <Button
        look={look}
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
