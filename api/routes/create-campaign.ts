import Router from '@koa/router';
import { findAgent } from '../../db/agents';
import type { Client } from '../../db/clients';
import { readContactFile, type ContactFileRefusal } from '../contact-file';
import { readCampaignForm, type CampaignForm } from '../campaigns/campaign-form';
import { assertCampaignRules } from '../campaigns/campaign-rules';
import { launchCampaign } from '../campaigns/launch-campaign';
import { ApiError } from '../errors/api-error';
import { agentNotFound } from '../errors/refusals';
import { multipartForm } from '../input/multipart';
import { endpoint, type ApiState } from '../pipeline';
import { presentCampaign } from '../presenters/campaign';
import type { RouteTools } from './route-tools';

export function createCampaignRoute({ deps, signer, authenticate }: RouteTools): Router<ApiState> {
  const { db, settings, clock } = deps;
  const router = new Router<ApiState>();

  router.post(
    '/api/campaigns/create',
    endpoint({
      errors: 'envelope',
      status: 201,
      authenticate,
      validate: async (ctx, client) => {
        const form = readCampaignForm(await multipartForm(ctx, { fileField: 'csv_file' }));
        const { legalWindow } = settings;
        assertCampaignRules(form, { legalWindow, maxConcurrency: client.maxConcurrency, now: clock.now() });
        return form;
      },
      handle: createCampaign,
      present: (campaign) => presentCampaign(campaign, signer),
    }),
  );

  async function createCampaign(form: CampaignForm, client: Client) {
    const agent = await findAgent(db, client.id, form.agentIdOrName);
    if (agent === undefined) throw agentNotFound();
    const rules = { allowedCountries: settings.allowedCountries };
    const file = await readContactFile({ ...form.file, rules });
    if ('code' in file) throw fileRefused(file);
    return launchCampaign(deps, { form, client, agent, file });
  }

  return router;
}

function fileRefused({ code, message, details, detailsTotal }: ContactFileRefusal): ApiError {
  const rows = details.length === 0 ? {} : { details, detailsTotal };
  return new ApiError({ status: 400, code, message, ...rows });
}
