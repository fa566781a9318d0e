import { readText } from '../../form.ts'
import { addressProblems, readAddress, type AddressProblems } from '../../address-form.ts'
import { api } from '../../api.ts'
import { failure, notices } from '../../copy.ts'
import { toast } from '../../toasts.tsx'

export async function correctAddress(form: FormData): Promise<{ problems: AddressProblems | undefined }> {
  try {
    const param = { id: readText(form, 'purchase_id') }
    await api.purchases[':id'].address.$put({ param, json: readAddress(form) })
    toast(notices.addressKept)
  } catch (error) {
    const problems = addressProblems(error)
    if (!problems) toast(failure('Couldn’t change the address', error))
    // What was typed stays, also when another field is wrong.
    return { problems: problems ?? {} }
  }
  return { problems: undefined }
}
