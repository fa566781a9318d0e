import { serveTasks } from '#platform/serve-tasks.ts'
import { performTask } from './book-tasks.ts'

serveTasks(performTask)
