// Asked when a form on the page holds unsaved text; a file of its own, so that pages without forms do not load it.
import { controlsTexts } from '#words/site.ts'
import { Confirm } from '../components/dialog.tsx'

type SignOutQuestionProps = { onConfirm: () => void; onClose: () => void }

export default function SignOutQuestion(props: SignOutQuestionProps) {
  return (
    <Confirm title={controlsTexts.signOutQuestion} action={controlsTexts.signOutUnsaved} {...props}>
      {controlsTexts.notSaved}
    </Confirm>
  )
}
