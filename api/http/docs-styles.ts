/** Gives Swagger UI 5 the console's colours, fonts and borders. The id in each selector outranks Swagger UI's classes. */
export const STYLES = `.places {
  display: flex;
  flex-wrap: wrap;
  gap: var(--gap-xs);
  padding: var(--gap-s) var(--gap-l);
  background: var(--surface);
  border-bottom: 1px solid var(--line);
  font: var(--text) / 1.45 var(--font);
}

.places a {
  display: flex;
  align-items: center;
  min-height: var(--control);
  padding-inline: var(--gap);
  border-radius: var(--radius-s);
  color: var(--soft);
  font-weight: 500;
  text-decoration: none;
}

.places a:hover {
  background: var(--hover);
  color: var(--ink);
}

.places a[aria-current='page'] {
  background: var(--accent-soft);
  color: var(--accent);
}

body {
  margin: 0;
}

:root:root,
:root:root body,
#page .swagger-ui :is(.scheme-container, .dialog-ux .modal-ux) {
  background: var(--ground);
}

#page .swagger-ui {
  background: transparent;
}

#page .swagger-ui * {
  font-family: var(--font);
}

#page .swagger-ui :is(code, pre, .microlight, .opblock-summary-path, .opblock-summary-path *, .opblock-summary-method, .prop-type, .model, .model *) {
  font-family: var(--mono);
}

#page .swagger-ui .wrapper {
  max-width: 84rem;
  padding-inline: var(--gap-l);
}

#page .swagger-ui .info {
  margin-block: var(--gap-xl);
}

#page .swagger-ui .info .title {
  font-size: 1.5rem;
}

#page .swagger-ui :is(.info .title, .info p, .info li, .info table, .opblock-tag, .opblock-tag small, .opblock-description-wrapper p, .markdown p, .markdown li, .renderedMarkdown p, .parameter__name, .examples__title, .examples-select__section-label, .servers-title, .json-schema-2020-12__title, .json-schema-2020-12-property, .json-schema-2020-12__attribute--primary, .response-col_status, .tab li, label, h3, h4, h5, .model, .model-title, section.models h4, .responses-inner :is(h4, h5), .opblock-summary-path, .opblock-summary-path a, table thead tr :is(td, th)) {
  color: var(--ink);
}

#page .swagger-ui :is(.opblock-summary-description, .parameter__type, .prop-format, .response-col_links) {
  color: var(--soft);
}

#page .swagger-ui :is(a, .info a, .link, .model-toggle) {
  color: var(--accent);
}

#page .swagger-ui .scheme-container {
  box-shadow: none;
  border-block: 1px solid var(--line);
}

#page .swagger-ui .opblock-tag {
  border-color: var(--line);
  font-size: var(--text-l);
}

#page .swagger-ui :is(.opblock, section.models, section.models .model-container, .dialog-ux .modal-ux) {
  border-radius: var(--radius);
  box-shadow: none;
}

#page .swagger-ui :is(.opblock, section.models, .json-schema-2020-12) {
  background: var(--surface);
  border: 1px solid var(--line);
}

#page .swagger-ui .opblock :is(.opblock-section-header, .opblock-summary) {
  background: transparent;
  border-color: var(--line);
  box-shadow: none;
}

#page .swagger-ui .opblock .opblock-summary-method {
  border-radius: var(--radius-s);
  color: var(--surface);
  font-size: var(--text-s);
  text-shadow: none;
}

#page .swagger-ui .opblock-get .opblock-summary-method {
  background: var(--live);
}

#page .swagger-ui .opblock-post .opblock-summary-method {
  background: var(--good);
}

#page .swagger-ui :is(.opblock-put, .opblock-patch) .opblock-summary-method {
  background: var(--wait);
}

#page .swagger-ui .opblock-delete .opblock-summary-method {
  background: var(--bad);
}

#page .swagger-ui :is(input, select, textarea, .btn) {
  border-color: var(--edge);
  border-radius: var(--radius-s);
  box-shadow: none;
}

#page .swagger-ui :is(input, select, textarea):not([type='checkbox'], [type='radio']) {
  background-color: var(--surface);
  color: var(--ink);
}

#page .swagger-ui :is(.opblock-tag svg, .opblock-summary-control svg, .opblock-control-arrow svg, .models-control svg, .authorization__btn svg) {
  fill: var(--soft);
}

#page .swagger-ui .tab-header .tab-item.active h4 span::after {
  background: var(--accent);
}

#page .swagger-ui .btn {
  background: var(--surface);
  color: var(--ink);
}

#page .swagger-ui .btn.cancel {
  border-color: var(--bad);
  color: var(--bad);
}

#page .swagger-ui .btn.authorize {
  border-color: var(--accent);
  color: var(--accent);
}

#page .swagger-ui .btn.authorize svg {
  fill: var(--accent);
}

#page .swagger-ui .btn.execute {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--accent-ink);
}
`;
