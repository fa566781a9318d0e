// Asked when a form on the page holds unsaved text; a file of its own, so that pages without forms do not load it.
import { leavingTexts } from '#words/leaving.ts'
import { Confirm } from './components/confirm.tsx'

type SignOutQuestionProps = { onConfirm: () => void; onClose: () => void }

export default function SignOutQuestion(props: SignOutQuestionProps) {
  return (
    <Confirm title={leavingTexts.signOutQuestion} action={leavingTexts.signOut} {...props}>
      {leavingTexts.notSaved}
    </Confirm>
  )
}
