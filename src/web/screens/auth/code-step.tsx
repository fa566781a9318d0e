import { CodeForm } from '../../code-form.tsx'
import { notices } from '../../copy.ts'
import { signOut } from '../../session.ts'
import { verifiedFactors, type StoredSession } from '../../stored-session.ts'
import { toast } from '../../toasts.tsx'

type CodeStepProps = { session: StoredSession; onLeave: () => void }

export function CodeStep({ session, onLeave }: CodeStepProps) {
  return (
    <div>
      <h2 className="font-display text-xl font-semibold">Enter your code</h2>
      <p className="mt-2 mb-5 text-pretty break-words text-soft">
        {session.user.email} is protected by a second step. Open your authenticator app and type the code that
        it shows for this site.
      </p>
      <CodeForm
        factors={verifiedFactors(session)}
        onDone={() => toast(notices.welcomeBack)}
        onLeave={() => void signOut({ isByUser: true }).then(onLeave)}
      />
    </div>
  )
}
