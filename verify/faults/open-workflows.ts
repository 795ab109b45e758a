import { Client, Connection } from '@temporalio/client';
import type { OpenWorkflow } from './checker/evidence';

export async function openWorkflows(temporalAddress: string): Promise<OpenWorkflow[]> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const open: OpenWorkflow[] = [];
    for await (const { workflowId, type } of new Client({ connection }).workflow.list({
      query: 'ExecutionStatus = "Running"',
    })) {
      open.push({ workflow_id: workflowId, type });
    }
    return open;
  } finally {
    await connection.close();
  }
}
