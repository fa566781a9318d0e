FROM node:24-bookworm-slim AS package
WORKDIR /lectern
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci
COPY . .
RUN npm pack

FROM node:24-bookworm-slim
WORKDIR /shop
COPY --from=package /lectern/lectern-*.tgz ./
# The image has Node already.
RUN npm install --no-audit ./lectern-*.tgz \
  && rm -r lectern-*.tgz node_modules/node-linux-* \
  && npm cache clean --force
ENV PATH=/shop/node_modules/.bin:$PATH NODE_COMPILE_CACHE=/tmp/compiled DATA_DIR=/data
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/api/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["lectern"]
CMD ["start"]
