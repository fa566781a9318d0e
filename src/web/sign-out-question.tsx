// Asked when a form on the page holds unsaved text; a file of its own, so that pages without forms do not load it.
import { Confirm } from './components/confirm.tsx'

type SignOutQuestionProps = { onConfirm: () => void; onClose: () => void }

export default function SignOutQuestion(props: SignOutQuestionProps) {
  return (
    <Confirm title="Sign out without saving?" action="Sign out" {...props}>
      What you entered on this page is not saved yet.
    </Confirm>
  )
}
