export { campaignReport, REPORT_FORMATS, type CampaignReport, type ReportFormat } from './campaign-report';
